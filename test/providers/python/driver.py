"""Drives openfeature-sdk with openfeature-provider-ofrep: a command per line on standard input, an answer per line on standard output."""
import json
import sys
import traceback

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext


def configure(command):
    headers = command["headers"]
    api.set_provider(OFREPProvider(command["baseUrl"], headers_factory=lambda: headers))


def evaluate(command):
    attributes = dict(command.get("context", {}))
    targeting_key = None
    if isinstance(attributes.get("targetingKey"), str):
        targeting_key = attributes.pop("targetingKey")
    context = EvaluationContext(targeting_key, attributes)
    method = getattr(api.get_client(), f"get_{command['type']}_details")
    details = method(command["key"], command["default"], context)
    return {
        "valueJson": json.dumps(details.value),
        "variant": details.variant,
        "reason": details.reason,
        "errorCode": details.error_code,
        "errorMessage": details.error_message,
        "flagMetadata": dict(details.flag_metadata),
    }


def shutdown(_):
    api.shutdown()


COMMANDS = {"configure": configure, "evaluate": evaluate, "shutdown": shutdown}

for line in sys.stdin:
    command = json.loads(line)
    try:
        answer = {"result": COMMANDS[command["command"]](command)}
    except Exception:
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
