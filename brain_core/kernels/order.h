/* Entries of ranked lists and their orders, as function objects: the compiler puts those into its sort, not pointers. */
#ifndef SMARTBRAIN_ORDER_H
#define SMARTBRAIN_ORDER_H

struct Entry {
    double score;
    long long tie;
    int row;
    int place;
};

struct OfLowerRow {
    bool operator()(const Entry &left, const Entry &right) const
    {
        return left.row < right.row || (left.row == right.row && left.place < right.place);
    }
};

struct ComesFirst {
    bool operator()(const Entry &left, const Entry &right) const
    {
        if (left.score != right.score)
            return left.score > right.score;
        if (left.tie != right.tie)
            return left.tie < right.tie;
        return left.row < right.row;
    }
};

#endif
