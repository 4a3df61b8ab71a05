"""SmartBrain beside the stores that an agent's memory is otherwise kept in: same texts, vectors, queries and filter."""
