// SPDX-License-Identifier: Apache-2.0
#include "ActionQueues.h"
#include "action.h"

#if __has_include(<concurrentqueue/moodycamel/concurrentqueue.h>)
#include <concurrentqueue/moodycamel/concurrentqueue.h>
#else
#include <concurrentqueue/concurrentqueue.h>
#endif
#if !__has_include(<boost/lockfree/queue.hpp>)
#error "The benchmarks need Boost.Lockfree: run 'sudo apt-get install libboost-dev' (Debian, Ubuntu)"
#endif
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>

#include <array>
#include <new>
#include <vector>

struct action_queue {
    virtual ~action_queue() = default;
    virtual void produce(int producer, uint64_t count) = 0;
    virtual void consume(uint64_t count, rival_patience patience, action_sums &sums) = 0;
};

namespace {

// Memory for so many elements at first; the warm-up run lets a queue grow to what the runs need.
constexpr size_t capacity = 65536;
constexpr size_t bulk = 256;

struct LargeBlocks : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 512;
};

template <typename Traits, action_queue_kind kind> struct Moodycamel final : action_queue {
    using Queue = moodycamel::ConcurrentQueue<action, Traits>;
    Queue queue;
    std::vector<moodycamel::ProducerToken> producers;
    moodycamel::ConsumerToken consumer;

    explicit Moodycamel(int count) : queue(capacity), consumer(queue) {
        for (int i = 0; kind != ACTION_QUEUE_MOODYCAMEL_PLAIN && i < count; i++) {
            producers.emplace_back(queue);
        }
    }

    void produce(int producer, uint64_t count) override {
        if constexpr (kind == ACTION_QUEUE_MOODYCAMEL_PLAIN) {
            for (uint64_t i = 0; i < count; i++) {
                queue.enqueue(nth_action(i));
            }
        } else {
            auto &token = producers[static_cast<size_t>(producer)];
            for (uint64_t i = 0; i < count; i++) {
                queue.enqueue(token, nth_action(i));
            }
        }
    }

    void consume(uint64_t count, rival_patience patience, action_sums &sums) override {
        std::array<action, bulk> items;
        for (uint64_t got = 0; got < count;) {
            uint64_t before = got;
            if constexpr (kind == ACTION_QUEUE_MOODYCAMEL_BULK || kind == ACTION_QUEUE_MOODYCAMEL_BLOCKS ||
                          kind == ACTION_QUEUE_MOODYCAMEL_DIRECT) {
                size_t size = take_bulk(items);
                for (size_t i = 0; i < size; i++) {
                    reduce_action(items[i], &sums);
                }
                got += size;
            } else {
                while (got < count && take(items[0])) {
                    reduce_action(items[0], &sums);
                    got++;
                }
            }
            if (got - before < patience.enough) {
                wait_a_little(patience.pauses);
            }
        }
    }

  private:
    bool take(action &item) {
        if constexpr (kind == ACTION_QUEUE_MOODYCAMEL_PLAIN) {
            return queue.try_dequeue(item);
        } else {
            return queue.try_dequeue(consumer, item);
        }
    }

    size_t take_bulk(std::array<action, bulk> &items) {
        if constexpr (kind == ACTION_QUEUE_MOODYCAMEL_DIRECT) {
            return queue.try_dequeue_bulk_from_producer(producers[0], items.data(), items.size());
        } else {
            return queue.try_dequeue_bulk(consumer, items.data(), items.size());
        }
    }
};

template <typename Queue> struct Boost final : action_queue {
    Queue queue{capacity};

    void produce(int, uint64_t count) override {
        for (uint64_t i = 0; i < count; i++) {
            while (!queue.push(nth_action(i))) {
                wait_a_little(64);
            }
        }
    }

    void consume(uint64_t count, rival_patience patience, action_sums &sums) override {
        for (uint64_t got = 0; got < count;) {
            size_t size = queue.consume_all([&sums](const action &item) { reduce_action(item, &sums); });
            got += size;
            if (size < patience.enough) {
                wait_a_little(patience.pauses);
            }
        }
    }
};

struct WaitFree final : action_queue {
    wait_free_queue *queue;

    WaitFree() : queue(wait_free_queue_create()) {
        if (queue == nullptr) {
            throw std::bad_alloc();
        }
    }
    ~WaitFree() override { wait_free_queue_destroy(queue); }

    void produce(int, uint64_t count) override { wait_free_queue_produce(queue, count); }

    void consume(uint64_t count, rival_patience patience, action_sums &sums) override {
        wait_free_queue_consume(queue, count, patience, &sums);
    }
};

} // namespace

action_queue *action_queue_create(action_queue_kind kind, int producers) {
    using Default = moodycamel::ConcurrentQueueDefaultTraits;
    try {
        switch (kind) {
        case ACTION_QUEUE_MOODYCAMEL:
            return new Moodycamel<Default, ACTION_QUEUE_MOODYCAMEL>(producers);
        case ACTION_QUEUE_MOODYCAMEL_BULK:
            return new Moodycamel<LargeBlocks, ACTION_QUEUE_MOODYCAMEL_BULK>(producers);
        case ACTION_QUEUE_MOODYCAMEL_BLOCKS:
            return new Moodycamel<Default, ACTION_QUEUE_MOODYCAMEL_BLOCKS>(producers);
        case ACTION_QUEUE_MOODYCAMEL_DIRECT:
            return producers == 1 ? new Moodycamel<LargeBlocks, ACTION_QUEUE_MOODYCAMEL_DIRECT>(producers) : nullptr;
        case ACTION_QUEUE_MOODYCAMEL_PLAIN:
            return new Moodycamel<Default, ACTION_QUEUE_MOODYCAMEL_PLAIN>(producers);
        case ACTION_QUEUE_BOOST:
            return new Boost<boost::lockfree::queue<action>>();
        case ACTION_QUEUE_BOOST_SINGLE:
            return producers == 1 ? new Boost<boost::lockfree::spsc_queue<action>>() : nullptr;
        case ACTION_QUEUE_WFCQUEUE:
            return new WaitFree();
        }
    } catch (const std::bad_alloc &) {
    }
    return nullptr;
}

void action_queue_produce(action_queue *queue, int producer, uint64_t count) { queue->produce(producer, count); }

void action_queue_consume(action_queue *queue, uint64_t count, rival_patience patience, action_sums *sums) {
    queue->consume(count, patience, *sums);
}

void action_queue_destroy(action_queue *queue) { delete queue; }
