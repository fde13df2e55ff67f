using UnityEngine;

public sealed class Spawner : MonoBehaviour
{
    public float interval = 2f;
    public GameObject enemy;
}
