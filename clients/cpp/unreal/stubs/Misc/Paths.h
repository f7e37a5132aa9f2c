#pragma once

#include "CoreMinimal.h"

struct FPaths
{
	static FString ProjectSavedDir();
	static FString ConvertRelativePathToFull(const FString&);
};
