#pragma once

#include "CoreMinimal.h"
#include "Interfaces/IHttpResponse.h"

#include <functional>

class IHttpRequest;
using FHttpRequestPtr = TSharedPtr<IHttpRequest, ESPMode::ThreadSafe>;

struct FHttpRequestCompleteDelegate
{
	void BindLambda(std::function<void(FHttpRequestPtr, FHttpResponsePtr, bool)>);
	void Unbind();
};

class IHttpRequest
{
public:
	virtual ~IHttpRequest() = default;
	virtual void SetVerb(const FString&) = 0;
	virtual void SetURL(const FString&) = 0;
	virtual void SetHeader(const FString&, const FString&) = 0;
	virtual void SetContent(const TArray<uint8>&) = 0;
	virtual FHttpRequestCompleteDelegate& OnProcessRequestComplete() = 0;
	virtual bool ProcessRequest() = 0;
	virtual void CancelRequest() = 0;
};
