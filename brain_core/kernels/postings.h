// The postings of one term, in as little memory as they need: most terms are in one text or two.

#ifndef SMARTBRAIN_POSTINGS_H
#define SMARTBRAIN_POSTINGS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

struct Posting {
    uint16_t gap;  // rows since the posting before, of the first: since row 0
    uint16_t tf;   // 0: a step on the way to a row that is farther than a gap reaches
};

// Grows by a quarter. The first two postings stand in the list itself.
class PostingList {
  public:
    PostingList() noexcept : count_(0), room_(NEAR) {}
    ~PostingList() {
        if (is_far()) std::free(place_.far);
    }
    PostingList(PostingList&& other) noexcept : place_(other.place_), count_(other.count_), room_(other.room_) {
        other.count_ = 0;
        other.room_ = NEAR;
    }
    PostingList(const PostingList&) = delete;
    PostingList& operator=(const PostingList&) = delete;
    PostingList& operator=(PostingList&&) = delete;

    const Posting* data() const noexcept { return is_far() ? place_.far : place_.near; }
    size_t size() const noexcept { return count_; }
    const Posting& operator[](size_t i) const noexcept { return data()[i]; }

    // Bytes held beside the list itself: what malloc takes is a multiple of 16, 8 of them its own.
    size_t beside() const noexcept { return is_far() ? (room_ * sizeof(Posting) + 8 + 15) / 16 * 16 : 0; }

    void reserve(size_t wanted) {
        if (wanted <= room_) return;
        // What is asked of malloc fills what it takes: 6, 10, 14, … postings.
        uint32_t room = static_cast<uint32_t>((wanted + 1) / 4 * 4 + 2);
        void* far = std::realloc(is_far() ? place_.far : nullptr, room * sizeof(Posting));
        if (far == nullptr) throw std::bad_alloc();
        if (!is_far()) std::memcpy(far, place_.near, count_ * sizeof(Posting));
        place_.far = static_cast<Posting*>(far);
        room_ = room;
    }
    void push_back(const Posting& one) {
        if (count_ == room_) reserve(room_ + room_ / 4 + 1);
        (is_far() ? place_.far : place_.near)[count_++] = one;
    }

  private:
    static constexpr uint32_t NEAR = 2;
    bool is_far() const noexcept { return room_ > NEAR; }

    union Place {
        Posting* far;
        Posting near[NEAR];
    } place_;
    uint32_t count_, room_;
};

#endif
