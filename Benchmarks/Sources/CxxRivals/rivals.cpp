// SPDX-License-Identifier: Apache-2.0
#include "CxxRivals.h"

#if __has_include(<concurrentqueue/moodycamel/concurrentqueue.h>)
#include <concurrentqueue/moodycamel/concurrentqueue.h>
#else
#if !__has_include(<concurrentqueue/concurrentqueue.h>)
#error "The benchmarks need moodycamel's queue: run 'sudo apt-get install libconcurrentqueue-dev' (Debian, Ubuntu)"
#endif
#include <concurrentqueue/concurrentqueue.h>
#endif

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace {

struct Payload {
    std::array<uint64_t, 8> words;
};
static_assert(sizeof(Payload) == 64, "the payload that the comparison is about");

inline Payload payload(uint64_t number) { return Payload{{number, 1, 2, 3, 4, 5, 6, 7}}; }

inline void wait(uint32_t pauses) {
    for (uint32_t i = 0; i < pauses; i++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ __volatile__("isb" ::: "memory");
#endif
    }
}

struct LargeBlocks : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 512;
};

constexpr size_t bulk = 256;
constexpr size_t enqueue_bulk_size = 64;

} // namespace

struct rival_queue {
    virtual ~rival_queue() = default;
    virtual void produce(int producer, uint64_t count) = 0;
    virtual void produce_bulk(int producer, uint64_t count) = 0;
    virtual uint64_t consume(uint64_t count, rival_patience patience) = 0;
};

namespace {

template <typename Traits, rival_variant variant> struct Rival final : rival_queue {
    using Queue = moodycamel::ConcurrentQueue<Payload, Traits>;
    Queue queue;
    std::vector<moodycamel::ProducerToken> producers;
    moodycamel::ConsumerToken consumer;

    // Memory for 65,536 elements at first; the warm-up run lets it grow to what the runs need.
    explicit Rival(int count) : queue(65536), consumer(queue) {
        if (variant != RIVAL_NO_TOKENS) {
            for (int i = 0; i < count; i++) {
                producers.emplace_back(queue);
            }
        }
    }

    void produce(int producer, uint64_t count) override {
        if constexpr (variant == RIVAL_NO_TOKENS) {
            for (uint64_t i = 1; i <= count; i++) {
                queue.enqueue(payload(i));
            }
        } else {
            auto &token = producers[static_cast<size_t>(producer)];
            for (uint64_t i = 1; i <= count; i++) {
                queue.enqueue(token, payload(i));
            }
        }
    }

    void produce_bulk(int producer, uint64_t count) override {
        std::array<Payload, enqueue_bulk_size> batch;
        for (uint64_t next = 1; next <= count;) {
            size_t size = 0;
            for (; size < batch.size() && next <= count; size++, next++) {
                batch[size] = payload(next);
            }
            if constexpr (variant == RIVAL_NO_TOKENS) {
                queue.enqueue_bulk(batch.data(), size);
            } else {
                queue.enqueue_bulk(producers[static_cast<size_t>(producer)], batch.data(), size);
            }
        }
    }

    uint64_t consume(uint64_t count, rival_patience patience) override {
        uint64_t sum = 0;
        uint64_t got = 0;
        if constexpr (variant == RIVAL_TOKENS || variant == RIVAL_NO_TOKENS) {
            Payload item;
            while (got < count) {
                uint64_t before = got;
                while (got < count && take(item)) {
                    sum += item.words[0];
                    got++;
                }
                if (got - before < patience.enough) {
                    wait(patience.pauses);
                }
            }
        } else {
            std::array<Payload, bulk> items;
            while (got < count) {
                size_t size = take_bulk(items);
                for (size_t i = 0; i < size; i++) {
                    sum += items[i].words[0];
                }
                got += size;
                if (size < patience.enough) {
                    wait(patience.pauses);
                }
            }
        }
        return sum;
    }

  private:
    bool take(Payload &item) {
        if constexpr (variant == RIVAL_NO_TOKENS) {
            return queue.try_dequeue(item);
        } else {
            return queue.try_dequeue(consumer, item);
        }
    }

    size_t take_bulk(std::array<Payload, bulk> &items) {
        if constexpr (variant == RIVAL_BULK_OF_ITS_PRODUCER) {
            return queue.try_dequeue_bulk_from_producer(producers[0], items.data(), items.size());
        } else {
            return queue.try_dequeue_bulk(consumer, items.data(), items.size());
        }
    }
};

template <typename Traits, rival_variant variant> rival_queue *create(int producers) {
    try {
        return new Rival<Traits, variant>(producers);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

} // namespace

rival_queue *rival_queue_create(rival_variant variant, int producers) {
    using Default = moodycamel::ConcurrentQueueDefaultTraits;
    switch (variant) {
    case RIVAL_TOKENS:
        return create<Default, RIVAL_TOKENS>(producers);
    case RIVAL_NO_TOKENS:
        return create<Default, RIVAL_NO_TOKENS>(producers);
    case RIVAL_BULK_DEQUEUE:
        return create<Default, RIVAL_BULK_DEQUEUE>(producers);
    case RIVAL_BULK_LARGE_BLOCKS:
        return create<LargeBlocks, RIVAL_BULK_LARGE_BLOCKS>(producers);
    case RIVAL_BULK_OF_ITS_PRODUCER:
        return producers == 1 ? create<LargeBlocks, RIVAL_BULK_OF_ITS_PRODUCER>(producers) : nullptr;
    }
    return nullptr;
}

void rival_queue_produce(rival_queue *queue, int producer, uint64_t count) { queue->produce(producer, count); }

void rival_queue_produce_bulk(rival_queue *queue, int producer, uint64_t count) {
    queue->produce_bulk(producer, count);
}

uint64_t rival_queue_consume(rival_queue *queue, uint64_t count, rival_patience patience) {
    return queue->consume(count, patience);
}

void rival_queue_destroy(rival_queue *queue) { delete queue; }
