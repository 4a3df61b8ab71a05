"""The sorts of memory: one row each, from which key, policy, layer, defaults, text and URI are derived."""
