using UnityEngine;

// class Decoy in a comment
public class PlayerController : MonoBehaviour
{
    public float speed = 5f;
    public int lives = 3;
    public string title;
    public Camera target;
    public Material skin;
}
