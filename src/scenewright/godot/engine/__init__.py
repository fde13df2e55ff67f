"""The real engine where it is needed: finding the binary, warm headless workers, and reading what they complain of.

`pool.Pool` hands requests to long-lived engines (`worker.Worker`, whose side of the line is `worker_scripts/`).
"""
