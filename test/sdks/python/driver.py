"""Calls the Python SDK: a command per line of JSON on standard input, its outcome per line on standard output."""
import json
import sys

from joystick import Client
from joystick.errors import BadRequestError
from joystick.errors.api import MultipleContentsApiError

clients = {}


def client_of(options):
    """One client for the same options, so that its cache lives on."""
    name = json.dumps(options, sort_keys=True)
    if name not in clients:
        clients[name] = Client(
            api_key=options["apiKey"],
            user_id=options.get("userId", ""),
            params=options.get("params"),
            sem_ver=options.get("semVer", ""),
        )
    return clients[name]


def call(command):
    client = client_of(command["client"])
    if command["method"] == "publish":
        return client.publish_content_update(command["id"], "a price", {"price": 0})
    options = command.get("options", {})
    named = {
        "serialized": options.get("serialized"),
        "refresh": options.get("refresh", False),
        "full_response": options.get("fullResponse", False),
    }
    if command["method"] == "one":
        return client.get_content(command["id"], **named)
    return client.get_contents(set(command["ids"]), **named)


def outcome_of(command):
    try:
        return {"value": call(command)}
    except BadRequestError as error:
        return {"error": "request", "message": str(error)}
    except MultipleContentsApiError as error:
        return {"error": "contents", "message": str(error)}
    except Exception as error:  # Whatever else the SDK raises is for the test to judge.
        return {"error": type(error).__name__, "message": str(error)}


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
