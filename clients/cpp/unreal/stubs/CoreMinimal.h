/** The least of Unreal's core that the sample needs to compile. Declarations only: nothing of it runs. */
#pragma once

#include <cstdint>
#include <string>

using TCHAR = char16_t;
using uint8 = std::uint8_t;
using int32 = std::int32_t;
using int64 = long long;

#define TEXT(text) u##text
#define UCLASS(...)
#define UFUNCTION(...)
#define UPROPERTY(...)
#define GENERATED_BODY() \
public:              \
	using Super = UGameInstanceSubsystem;
#define UTF8_TO_TCHAR(text) (StubWide(text).Text.c_str())
#define TCHAR_TO_UTF8(text) (StubNarrow(text).Text.c_str())
#define DEFINE_LOG_CATEGORY_STATIC(name, ...) \
	struct name                               \
	{                                         \
	}
#define UE_LOG(category, verbosity, ...) StubLog(__VA_ARGS__)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(name) \
	struct name                                  \
	{                                            \
		void Broadcast();                        \
	}
#define RETURN_QUICK_DECLARE_CYCLE_STAT(...) return TStatId()

struct StubWide
{
	explicit StubWide(const char*);
	std::u16string Text;
};
struct StubNarrow
{
	explicit StubNarrow(const TCHAR*);
	std::string Text;
};
void StubLog(const TCHAR*, ...);

class FString
{
public:
	FString();
	FString(const TCHAR*);
	const TCHAR* operator*() const;
	friend FString operator/(const FString&, const FString&);
};

template <typename T>
class TArray
{
public:
	void Append(const T*, int32);
	const T* GetData() const;
	int32 Num() const;
	const T* begin() const;
	const T* end() const;
};

enum class ESPMode
{
	ThreadSafe
};

template <typename T, ESPMode>
class TSharedRef
{
public:
	T* operator->() const;
};

template <typename T, ESPMode Mode>
class TSharedPtr
{
public:
	TSharedPtr();
	TSharedPtr(decltype(nullptr));
	TSharedPtr(const TSharedRef<T, Mode>&);
	T* operator->() const;
	bool IsValid() const;
};

struct TStatId
{
};
struct FDelegateHandle
{
};
