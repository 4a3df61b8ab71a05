"""Documents beside memory: are they found as if alone, and what does it cost to take them in?"""
