"""The engine's own class index: classes, members, defaults and documentation, offline.

`library.shipped()` opens the one in the package, `library.for_binary()` one of the user's own engine; `index` answers
what a class is and has, `docs` in the shapes of the Godoty protocol. Nothing is loaded before it is needed.
"""
