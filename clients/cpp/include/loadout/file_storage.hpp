/** A storage in a folder of files. A file is replaced whole: written beside, flushed to the disk, then renamed. */
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "loadout/storage.hpp"

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace loadout {

#if defined(_WIN32)

namespace detail {

inline std::wstring widened(const std::string& text) {
  const int count = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
  std::wstring wide(static_cast<std::size_t>(count), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), wide.data(), count);
  return wide;
}

class OpenFile {
 public:
  OpenFile(const std::string& path, bool isWritten)
      : handle_(CreateFileW(widened(path).c_str(), isWritten ? GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ, nullptr,
                            isWritten ? CREATE_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)) {
    isAbsent_ = handle_ == INVALID_HANDLE_VALUE &&
                (GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (isOpen()) CloseHandle(handle_);
  }

  bool isOpen() const { return handle_ != INVALID_HANDLE_VALUE; }
  bool isAbsent() const { return isAbsent_; }

  /** @return how many bytes; -1: it failed */
  std::int64_t read(char* bytes, std::size_t count) {
    DWORD done = 0;
    return ReadFile(handle_, bytes, static_cast<DWORD>(count), &done, nullptr) ? static_cast<std::int64_t>(done) : -1;
  }

  std::int64_t write(const char* bytes, std::size_t count) {
    DWORD done = 0;
    const DWORD most = count > 0x1000000 ? 0x1000000 : static_cast<DWORD>(count);
    return WriteFile(handle_, bytes, most, &done, nullptr) ? static_cast<std::int64_t>(done) : -1;
  }

  bool flush() { return FlushFileBuffers(handle_) != 0; }

 private:
  HANDLE handle_;
  bool isAbsent_ = false;
};

inline bool replaceFile(const std::string& from, const std::string& to, const std::string&) {
  constexpr DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  return MoveFileExW(widened(from).c_str(), widened(to).c_str(), flags) != 0;
}

inline bool deleteFile(const std::string& path) {
  return DeleteFileW(widened(path).c_str()) != 0 || GetLastError() == ERROR_FILE_NOT_FOUND;
}

constexpr const char* pathSeparators = "/\\";

inline void makeFolder(const std::string& path) { CreateDirectoryW(widened(path).c_str(), nullptr); }

}  // namespace detail

#else

namespace detail {

class OpenFile {
 public:
  OpenFile(const std::string& path, bool isWritten)
      : descriptor_(open(path.c_str(), O_CLOEXEC | (isWritten ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY), 0600)),
        isAbsent_(descriptor_ < 0 && errno == ENOENT) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (isOpen()) close(descriptor_);
  }

  bool isOpen() const { return descriptor_ >= 0; }
  bool isAbsent() const { return isAbsent_; }

  /** @return how many bytes; -1: it failed */
  std::int64_t read(char* bytes, std::size_t count) {
    for (;;) {
      const ssize_t done = ::read(descriptor_, bytes, count);
      if (done >= 0 || errno != EINTR) return done;
    }
  }

  std::int64_t write(const char* bytes, std::size_t count) {
    for (;;) {
      const ssize_t done = ::write(descriptor_, bytes, count);
      if (done >= 0 || errno != EINTR) return done;
    }
  }

  bool flush() { return fsync(descriptor_) == 0; }

 private:
  int descriptor_;
  bool isAbsent_;
};

inline bool replaceFile(const std::string& from, const std::string& to, const std::string& folder) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return false;
  // The rename is on the disk when the folder is.
  OpenFile entry(folder, false);
  return entry.isOpen() && entry.flush();
}

inline bool deleteFile(const std::string& path) { return unlink(path.c_str()) == 0 || errno == ENOENT; }

constexpr const char* pathSeparators = "/";

inline void makeFolder(const std::string& path) { mkdir(path.c_str(), 0700); }

}  // namespace detail

#endif

namespace detail {

/** Makes the folder and those above it. A failure shows when an item is written. */
inline void makeFolders(const std::string& path) {
  for (std::size_t at = path.find_first_of(pathSeparators, 1); at != std::string::npos;
       at = path.find_first_of(pathSeparators, at + 1)) {
    makeFolder(path.substr(0, at));
  }
  makeFolder(path);
}

}  // namespace detail

class FileStorage final : public Storage {
 public:
  /** @param folder UTF-8; made with the folders above it if it is not there */
  explicit FileStorage(std::string folder) : folder_(std::move(folder)) { detail::makeFolders(folder_); }

  StorageResult getItem(const std::string& name, std::string& text) override {
    detail::OpenFile file(pathOf(name), false);
    if (!file.isOpen()) return file.isAbsent() ? StorageResult::Absent : StorageResult::Failed;
    text.clear();
    char piece[16'384];
    for (;;) {
      const std::int64_t count = file.read(piece, sizeof piece);
      if (count == 0) return StorageResult::Done;
      if (count < 0 || text.size() > itemBytesMax) return StorageResult::Failed;
      text.append(piece, static_cast<std::size_t>(count));
    }
  }

  bool setItem(const std::string& name, const std::string& text) override {
    const std::string path = pathOf(name);
    const std::string beside = path + ".new";
    if (writeWhole(beside, text) && detail::replaceFile(beside, path, folder_)) return true;
    detail::deleteFile(beside);
    return false;
  }

  bool removeItem(const std::string& name) override { return detail::deleteFile(pathOf(name)); }

 private:
  /** Above the largest that a client writes. */
  static constexpr std::size_t itemBytesMax = std::size_t{512} << 20;

  std::string pathOf(const std::string& name) const { return folder_ + '/' + name; }

  static bool writeWhole(const std::string& path, const std::string& text) {
    detail::OpenFile file(path, true);
    if (!file.isOpen()) return false;
    for (std::size_t at = 0; at < text.size();) {
      const std::int64_t count = file.write(text.data() + at, text.size() - at);
      if (count <= 0) return false;
      at += static_cast<std::size_t>(count);
    }
    return file.flush();
  }

  std::string folder_;
};

}  // namespace loadout
