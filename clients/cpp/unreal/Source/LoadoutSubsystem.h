/** The configuration of the game, for as long as the game instance lives. */
#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "Tickable.h"

#include <memory>

#include "loadout/client.hpp"

#include "LoadoutSubsystem.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE(FOnLoadoutStarted);
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FOnLoadoutWaiting);

UCLASS(Config = Game)
class ULoadoutSubsystem : public UGameInstanceSubsystem, public FTickableGameObject
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	virtual void Tick(float DeltaTime) override;
	virtual TStatId GetStatId() const override;
	virtual bool IsTickable() const override { return Client != nullptr; }
	virtual bool IsTickableWhenPaused() const override { return true; }

	/** Loads what is stored and asks the server; OnStarted follows, after two seconds at the latest. */
	UFUNCTION(BlueprintCallable, Category = "Loadout")
	void Start(const FString& User);

	UFUNCTION(BlueprintPure, Category = "Loadout")
	bool GetBool(const FString& Id, const FString& Pointer, bool Default) const;
	UFUNCTION(BlueprintPure, Category = "Loadout")
	int64 GetInteger(const FString& Id, const FString& Pointer, int64 Default) const;
	UFUNCTION(BlueprintPure, Category = "Loadout")
	double GetDouble(const FString& Id, const FString& Pointer, double Default) const;
	UFUNCTION(BlueprintPure, Category = "Loadout")
	FString GetText(const FString& Id, const FString& Pointer, const FString& Default) const;

	/** Whether the value may have ended: an offer is not sold while this is true. */
	UFUNCTION(BlueprintPure, Category = "Loadout")
	bool IsPastChange() const;

	/** Applies the configuration that waits, between two matches for instance. */
	UFUNCTION(BlueprintCallable, Category = "Loadout")
	bool Activate();
	/** The game reached its menu: call it after OnStarted, and after each Activate. */
	UFUNCTION(BlueprintCallable, Category = "Loadout")
	void Ready();

	UPROPERTY(BlueprintAssignable, Category = "Loadout")
	FOnLoadoutStarted OnStarted;
	UPROPERTY(BlueprintAssignable, Category = "Loadout")
	FOnLoadoutWaiting OnWaiting;

	/** In DefaultGame.ini: [/Script/YourGame.LoadoutSubsystem] Url=… Key=… */
	UPROPERTY(Config)
	FString Url;
	UPROPERTY(Config)
	FString Key;

private:
	void OnBackground();
	void OnForeground();

	std::unique_ptr<loadout::Client> Client;
	FDelegateHandle BackgroundHandle;
	FDelegateHandle ForegroundHandle;
};
