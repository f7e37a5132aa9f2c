#pragma once

#include "CoreMinimal.h"

struct StubDelegate
{
	template <typename T>
	FDelegateHandle AddUObject(T*, void (T::*)());
	void Remove(FDelegateHandle);
};

struct FCoreDelegates
{
	static StubDelegate ApplicationWillEnterBackgroundDelegate;
	static StubDelegate ApplicationHasEnteredForegroundDelegate;
};
