using UnityEngine;

[CreateAssetMenu(menuName = "Game/Settings")]
public class GameSettings : ScriptableObject
{
    public int difficulty = 1;
    public string[] levels;
}
