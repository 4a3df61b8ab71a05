"""What does a message ask for? Intent, documents, filters, what it points at: by rules and a small classifier.

    message ─▶ read.py ─▶ Reading ─▶ queries.py ─▶ plan with a reason for everything
                 │ english.py, chinese.py: the words that tell; intent.py: weighed with what the rest reads like
                 │ *_periods.py, *_months.py, *_ranges.py: when; scope.py: where; pointing.py: what "that link" is

Nothing is invented: a query says the message again, narrowed, or with words that stand in the session or the memory. A
filter read from words is a preference: the message is always asked without it too, at less weight.
"""
