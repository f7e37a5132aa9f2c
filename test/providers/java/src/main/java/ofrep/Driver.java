package ofrep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Structure;
import dev.openfeature.sdk.Value;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Drives OpenFeature's Java SDK with its OFREP provider: a command per line on standard input, an answer per line on
 * standard output.
 */
public final class Driver {
    private static final ObjectMapper json = new ObjectMapper();
    private static final OpenFeatureAPI api = OpenFeatureAPI.getInstance();

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode answer = json.createObjectNode();
            try {
                answer.set("result", obey(json.readTree(line)));
            } catch (Exception failure) {
                answer.put("error", failure.toString());
            }
            answers.println(json.writeValueAsString(answer));
        }
        // The provider's threads outlive it where nobody has shut it down.
        System.exit(0);
    }

    private static JsonNode obey(JsonNode command) throws Exception {
        switch (command.get("command").asText()) {
            case "configure":
                configure(command);
                return json.nullNode();
            case "evaluate":
                return evaluate(command);
            case "shutdown":
                api.shutdown();
                return json.nullNode();
            default:
                throw new IllegalArgumentException("no such command: " + command);
        }
    }

    private static void configure(JsonNode command) {
        ImmutableMap.Builder<String, ImmutableList<String>> headers = ImmutableMap.builder();
        command.get("headers")
                .fields()
                .forEachRemaining(
                        field ->
                                headers.put(
                                        field.getKey(),
                                        ImmutableList.of(field.getValue().asText())));
        OfrepProviderOptions options =
                OfrepProviderOptions.builder()
                        .baseUrl(command.get("baseUrl").asText())
                        .headers(headers.build())
                        .build();
        api.setProviderAndWait(OfrepProvider.constructProvider(options));
    }

    private static JsonNode evaluate(JsonNode command) throws Exception {
        Client client = api.getClient();
        String key = command.get("key").asText();
        JsonNode value = command.get("default");
        EvaluationContext context = contextOf(command.get("context"));
        switch (command.get("type").asText()) {
            case "boolean":
                return describe(client.getBooleanDetails(key, value.asBoolean(), context));
            case "string":
                return describe(client.getStringDetails(key, value.asText(), context));
            case "integer":
                return describe(client.getIntegerDetails(key, value.asInt(), context));
            case "float":
                return describe(client.getDoubleDetails(key, value.asDouble(), context));
            case "object":
                return describe(client.getObjectDetails(key, valueOf(value), context));
            default:
                throw new IllegalArgumentException("no such type: " + command);
        }
    }

    private static EvaluationContext contextOf(JsonNode context) {
        Map<String, Value> attributes = new LinkedHashMap<>();
        if (context != null) {
            context.fields()
                    .forEachRemaining(
                            field -> attributes.put(field.getKey(), valueOf(field.getValue())));
        }
        Value targetingKey = attributes.get("targetingKey");
        if (targetingKey == null || !targetingKey.isString()) {
            return new ImmutableContext(attributes);
        }
        attributes.remove("targetingKey");
        return new ImmutableContext(targetingKey.asString(), attributes);
    }

    private static Value valueOf(JsonNode node) {
        return Value.objectToValue(json.convertValue(node, Object.class));
    }

    private static JsonNode describe(FlagEvaluationDetails<?> details) throws Exception {
        ObjectNode result = json.createObjectNode();
        result.put("valueJson", json.writeValueAsString(plain(details.getValue())));
        result.put("variant", details.getVariant());
        result.put("reason", details.getReason());
        result.put(
                "errorCode",
                details.getErrorCode() == null ? null : details.getErrorCode().toString());
        result.put("errorMessage", details.getErrorMessage());
        result.set(
                "flagMetadata", json.valueToTree(details.getFlagMetadata().asUnmodifiableMap()));
        return result;
    }

    /** What the SDK wraps in a Value, as Jackson writes it. */
    private static Object plain(Object value) {
        if (!(value instanceof Value)) {
            return value;
        }
        Value wrapped = (Value) value;
        if (wrapped.isStructure()) {
            Structure structure = wrapped.asStructure();
            Map<String, Object> members = new LinkedHashMap<>();
            structure.asMap().forEach((name, member) -> members.put(name, plain(member)));
            return members;
        }
        if (wrapped.isList()) {
            return wrapped.asList().stream().map(Driver::plain).collect(Collectors.toList());
        }
        return wrapped.asObject();
    }
}
