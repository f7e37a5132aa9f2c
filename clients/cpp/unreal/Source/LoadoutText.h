/** Text between Unreal and the client, whose text is UTF-8. */
#pragma once

#include "CoreMinimal.h"

#include <string>

inline FString ToFString(const std::string& Text)
{
	return FString(UTF8_TO_TCHAR(Text.c_str()));
}

inline std::string ToUtf8(const FString& Text)
{
	return std::string(TCHAR_TO_UTF8(*Text));
}
