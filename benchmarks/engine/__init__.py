"""Speed of the server under named workloads, beside an echo of the same message sizes in the same run."""
