using UnityEngine;

namespace Game.Actors
{
    internal struct Waypoint { }

    public sealed class EnemyAI : MonoBehaviour
    {
        public float speed = 3.5f;
        public GameSettings settings;
    }
}
