/** HTTP of Unreal for the Loadout client: FHttpModule, whose responses come whole. The client polls with it. */
#pragma once

#include "CoreMinimal.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "loadout/transport.hpp"

class FLoadoutTransport final : public loadout::Transport
{
public:
	FLoadoutTransport();
	virtual ~FLoadoutTransport() override;

	virtual void send(const loadout::Request& Request, loadout::Receiver& Receiver) override;
	virtual void cancel(std::uint64_t Id) override;
	virtual void pump() override;
	virtual bool canStream() const override { return false; }

private:
	struct FCompleted
	{
		std::uint64_t Id;
		FHttpResponsePtr Response;
		bool bIsDone;
	};

	/** What the engine's callbacks reach. It outlives the transport, whose requests may still end. */
	struct FShared
	{
		/** Responses until `pump` hands them on: the engine calls back from its own tick. */
		std::vector<FCompleted> Completed;
	};

	struct FUnderWay
	{
		FHttpRequestPtr Request;
		loadout::Receiver* Receiver = nullptr;
	};

	void Deliver(const FCompleted& Completed, loadout::Receiver& Receiver);

	std::shared_ptr<FShared> Shared;
	std::map<std::uint64_t, FUnderWay> UnderWay;
};
