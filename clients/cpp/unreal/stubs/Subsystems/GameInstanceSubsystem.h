#pragma once

#include "CoreMinimal.h"

class FSubsystemCollectionBase
{
};

class UGameInstanceSubsystem
{
public:
	virtual ~UGameInstanceSubsystem() = default;
	virtual void Initialize(FSubsystemCollectionBase&);
	virtual void Deinitialize();
};
