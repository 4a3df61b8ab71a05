"""Text as the index sees it: words, tokens, windows, language. English and Chinese, and both in one sentence."""
