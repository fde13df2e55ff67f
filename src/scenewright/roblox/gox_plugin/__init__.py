"""Studio behind a plugin that knows bridge protocol 1.1 and nothing of ours, such as Gox's own."""
