"""Changes to Unity's files: only the bytes of what is changed are written anew, and the result is read again."""
