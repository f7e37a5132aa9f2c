#include "LoadoutTransport.h"

#include "HttpModule.h"
#include "LoadoutText.h"

#include <string>
#include <utility>

FLoadoutTransport::FLoadoutTransport() : Shared(std::make_shared<FShared>()) {}

FLoadoutTransport::~FLoadoutTransport()
{
	while (!UnderWay.empty()) cancel(UnderWay.begin()->first);
}

void FLoadoutTransport::send(const loadout::Request& Request, loadout::Receiver& Receiver)
{
	const TSharedRef<IHttpRequest, ESPMode::ThreadSafe> HttpRequest = FHttpModule::Get().CreateRequest();
	HttpRequest->SetVerb(TEXT("POST"));
	HttpRequest->SetURL(ToFString(Request.url));
	for (const loadout::Header& Header : Request.headers)
	{
		HttpRequest->SetHeader(ToFString(Header.name), ToFString(Header.value));
	}
	TArray<uint8> Body;
	Body.Append(reinterpret_cast<const uint8*>(Request.body.data()), static_cast<int32>(Request.body.size()));
	HttpRequest->SetContent(Body);
	const std::uint64_t Id = Request.id;
	HttpRequest->OnProcessRequestComplete().BindLambda(
		[Id, Weak = std::weak_ptr<FShared>(Shared)](FHttpRequestPtr, FHttpResponsePtr Response, bool bSucceeded)
		{
			if (const auto Held = Weak.lock()) Held->Completed.push_back({Id, Response, bSucceeded && Response.IsValid()});
		});
	UnderWay[Id] = {HttpRequest, &Receiver};
	if (!HttpRequest->ProcessRequest()) Shared->Completed.push_back({Id, nullptr, false});
}

void FLoadoutTransport::cancel(std::uint64_t Id)
{
	const auto Found = UnderWay.find(Id);
	if (Found == UnderWay.end()) return;
	const FHttpRequestPtr Request = Found->second.Request;
	UnderWay.erase(Found);
	Request->OnProcessRequestComplete().Unbind();
	Request->CancelRequest();
}

void FLoadoutTransport::pump()
{
	const std::vector<FCompleted> Completed = std::exchange(Shared->Completed, {});
	for (const FCompleted& Each : Completed)
	{
		const auto Found = UnderWay.find(Each.Id);
		if (Found == UnderWay.end()) continue;
		loadout::Receiver& Receiver = *Found->second.Receiver;
		UnderWay.erase(Found);
		Deliver(Each, Receiver);
	}
}

void FLoadoutTransport::Deliver(const FCompleted& Completed, loadout::Receiver& Receiver)
{
	if (!Completed.bIsDone)
	{
		Receiver.onFailure(Completed.Id, loadout::TransportFailure::Network);
		return;
	}
	std::vector<loadout::Header> Headers;
	for (const FString& Line : Completed.Response->GetAllHeaders())
	{
		const std::string Text = ToUtf8(Line);
		const std::size_t Colon = Text.find(':');
		if (Colon != std::string::npos) Headers.push_back({Text.substr(0, Colon), Text.substr(Colon + 1)});
	}
	const TArray<uint8>& Content = Completed.Response->GetContent();
	Receiver.onHead(Completed.Id, Completed.Response->GetResponseCode(), Headers);
	Receiver.onBytes(Completed.Id, reinterpret_cast<const char*>(Content.GetData()), static_cast<std::size_t>(Content.Num()));
	Receiver.onEnd(Completed.Id);
}
