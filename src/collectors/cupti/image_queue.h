// Counter-data images on their way: free, decoded into, waiting to be evaluated, evaluated. For one decoding thread and
// several workers. Not here: what is in an image.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace ridge::collectors::cupti {

struct Image {
  std::vector<std::uint8_t> bytes;
  std::size_t samples = 0;     ///< complete ones in it
  std::uint64_t sequence = 0;  ///< in order of time, from 0
};

template <class Item>
class ImageQueue {
 public:
  /// Empty images for the decoder; call it while no thread runs.
  void reset(std::vector<Image>& images) {
    free_.clear(), full_.clear();
    for (Image& image : images) free_.push_back(&image);
    closed_ = false;
  }
  /// A cleared image; waits for one. nullptr: closed.
  Image* take_free() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !free_.empty(); });
    return take(free_);
  }
  void give_free(Image* image) { give(free_, image); }

  /// The next one to evaluate; waits for one. nullptr: closed and none is left.
  Image* take_full() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !full_.empty(); });
    return take(full_);
  }
  void give_full(Image* image) {
    image->sequence = decoded_++;
    give(full_, image);
  }

  void give_items(std::uint64_t sequence, std::vector<Item> items) {
    const std::lock_guard lock(mutex_);
    done_.emplace(sequence, std::move(items));
  }
  /// Every item whose predecessors are there.
  std::vector<Item> take_items() {
    const std::lock_guard lock(mutex_);
    std::vector<Item> items;
    while (!done_.empty() && done_.begin()->first == taken_) {
      const std::vector<Item>& next = done_.begin()->second;
      items.insert(items.end(), next.begin(), next.end());
      done_.erase(done_.begin());
      ++taken_;
    }
    return items;
  }

  /// Nothing more will be decoded: who waits is let go.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

 private:
  static Image* take(std::deque<Image*>& from) {
    if (from.empty()) return nullptr;
    Image* image = from.front();
    from.pop_front();
    return image;
  }
  void give(std::deque<Image*>& to, Image* image) {
    {
      const std::lock_guard lock(mutex_);
      to.push_back(image);
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Image*> free_, full_;
  std::map<std::uint64_t, std::vector<Item>> done_;
  std::uint64_t decoded_ = 0, taken_ = 0;
  bool closed_ = false;
};

}  // namespace ridge::collectors::cupti
