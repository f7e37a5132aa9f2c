#include "LoadoutSubsystem.h"

#include "LoadoutText.h"
#include "LoadoutTransport.h"
#include "Misc/CoreDelegates.h"
#include "Misc/Paths.h"

#include <string>
#include <utility>

#include "loadout/file_storage.hpp"

DEFINE_LOG_CATEGORY_STATIC(LogLoadout, Log, All);

void ULoadoutSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	BackgroundHandle =
		FCoreDelegates::ApplicationWillEnterBackgroundDelegate.AddUObject(this, &ULoadoutSubsystem::OnBackground);
	ForegroundHandle =
		FCoreDelegates::ApplicationHasEnteredForegroundDelegate.AddUObject(this, &ULoadoutSubsystem::OnForeground);
}

void ULoadoutSubsystem::Deinitialize()
{
	FCoreDelegates::ApplicationWillEnterBackgroundDelegate.Remove(BackgroundHandle);
	FCoreDelegates::ApplicationHasEnteredForegroundDelegate.Remove(ForegroundHandle);
	Client.reset();
	Super::Deinitialize();
}

void ULoadoutSubsystem::Tick(float)
{
	Client->update();
}

TStatId ULoadoutSubsystem::GetStatId() const
{
	RETURN_QUICK_DECLARE_CYCLE_STAT(ULoadoutSubsystem, STATGROUP_Tickables);
}

void ULoadoutSubsystem::Start(const FString& User)
{
	if (Client != nullptr) return;
	loadout::Options Options;
	Options.url = ToUtf8(Url);
	Options.key = ToUtf8(Key);
	Options.user = ToUtf8(User);
	Options.updates = loadout::Updates::Poll;
	Options.transport = std::make_shared<FLoadoutTransport>();
	Options.storage = std::make_shared<loadout::FileStorage>(
		ToUtf8(FPaths::ConvertRelativePathToFull(FPaths::ProjectSavedDir() / TEXT("Loadout"))));
	Options.log = [](const std::string& Code, const std::string& Sentence)
	{
		UE_LOG(LogLoadout, Warning, TEXT("%s: %s"), UTF8_TO_TCHAR(Code.c_str()), UTF8_TO_TCHAR(Sentence.c_str()));
	};
	std::string Problem;
	Client = loadout::Client::create(std::move(Options), Problem);
	if (Client == nullptr)
	{
		UE_LOG(LogLoadout, Error, TEXT("%s"), UTF8_TO_TCHAR(Problem.c_str()));
		return;
	}
	Client->watch(
		[this](const loadout::WatchEvent& Event)
		{
			if (Event.type == loadout::WatchEvent::Type::Waiting) OnWaiting.Broadcast();
		});
	Client->start(2'000, [this](const loadout::StartResult&) { OnStarted.Broadcast(); });
}

bool ULoadoutSubsystem::GetBool(const FString& Id, const FString& Pointer, bool Default) const
{
	return Client == nullptr ? Default : Client->get(ToUtf8(Id), ToUtf8(Pointer), Default).value;
}

int64 ULoadoutSubsystem::GetInteger(const FString& Id, const FString& Pointer, int64 Default) const
{
	return Client == nullptr ? Default : Client->get(ToUtf8(Id), ToUtf8(Pointer), Default).value;
}

double ULoadoutSubsystem::GetDouble(const FString& Id, const FString& Pointer, double Default) const
{
	return Client == nullptr ? Default : Client->get(ToUtf8(Id), ToUtf8(Pointer), Default).value;
}

FString ULoadoutSubsystem::GetText(const FString& Id, const FString& Pointer, const FString& Default) const
{
	if (Client == nullptr) return Default;
	return ToFString(Client->get(ToUtf8(Id), ToUtf8(Pointer), ToUtf8(Default)).value);
}

bool ULoadoutSubsystem::IsPastChange() const
{
	return Client != nullptr && Client->get("", "", false).isPastChange;
}

bool ULoadoutSubsystem::Activate()
{
	return Client != nullptr && Client->activate();
}

void ULoadoutSubsystem::Ready()
{
	if (Client != nullptr) Client->ready();
}

void ULoadoutSubsystem::OnBackground()
{
	if (Client != nullptr) Client->suspend();
}

void ULoadoutSubsystem::OnForeground()
{
	if (Client != nullptr) Client->resume();
}
