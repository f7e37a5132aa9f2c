// Drives OpenFeature's Go SDK with its OFREP provider: a command per line on standard input, an answer per line on
// standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

const lineBytesMax = 16 * 1024 * 1024

type command struct {
	Command string            `json:"command"`
	BaseURL string            `json:"baseUrl"`
	Headers map[string]string `json:"headers"`
	Type    string            `json:"type"`
	Key     string            `json:"key"`
	Default json.RawMessage   `json:"default"`
	Context map[string]any    `json:"context"`
}

type answer struct {
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
}

type evaluation struct {
	ValueJSON    string         `json:"valueJson"`
	Variant      *string        `json:"variant"`
	Reason       *string        `json:"reason"`
	ErrorCode    *string        `json:"errorCode"`
	ErrorMessage *string        `json:"errorMessage"`
	FlagMetadata map[string]any `json:"flagMetadata"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, lineBytesMax)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var c command
		result, err := any(nil), json.Unmarshal(lines.Bytes(), &c)
		if err == nil {
			result, err = obey(c)
		}
		a := answer{Result: result}
		if err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			panic(err)
		}
	}
}

func obey(c command) (any, error) {
	switch c.Command {
	case "configure":
		options := []ofrep.Option{}
		for name, value := range c.Headers {
			options = append(options, ofrep.WithHeader(name, value))
		}
		return nil, openfeature.SetProviderAndWait(ofrep.NewProvider(c.BaseURL, options...))
	case "evaluate":
		return evaluate(c)
	case "shutdown":
		openfeature.Shutdown()
		return nil, nil
	}
	return nil, fmt.Errorf("no such command: %s", c.Command)
}

func evaluate(c command) (any, error) {
	targetingKey, isText := c.Context["targetingKey"].(string)
	if isText {
		delete(c.Context, "targetingKey")
	}
	to := openfeature.NewEvaluationContext(targetingKey, c.Context)
	client := openfeature.NewDefaultClient()
	ctx := context.Background()
	// An evaluation that fails returns details and an error that says the same.
	switch c.Type {
	case "boolean":
		value, err := defaultOf[bool](c)
		if err != nil {
			return nil, err
		}
		details, _ := client.BooleanValueDetails(ctx, c.Key, value, to)
		return describe(details.Value, details.EvaluationDetails)
	case "string":
		value, err := defaultOf[string](c)
		if err != nil {
			return nil, err
		}
		details, _ := client.StringValueDetails(ctx, c.Key, value, to)
		return describe(details.Value, details.EvaluationDetails)
	case "integer":
		value, err := defaultOf[int64](c)
		if err != nil {
			return nil, err
		}
		details, _ := client.IntValueDetails(ctx, c.Key, value, to)
		return describe(details.Value, details.EvaluationDetails)
	case "float":
		value, err := defaultOf[float64](c)
		if err != nil {
			return nil, err
		}
		details, _ := client.FloatValueDetails(ctx, c.Key, value, to)
		return describe(details.Value, details.EvaluationDetails)
	case "object":
		value, err := defaultOf[any](c)
		if err != nil {
			return nil, err
		}
		details, _ := client.ObjectValueDetails(ctx, c.Key, value, to)
		return describe(details.Value, details.EvaluationDetails)
	}
	return nil, fmt.Errorf("no such type: %s", c.Type)
}

func defaultOf[T any](c command) (T, error) {
	var value T
	err := json.Unmarshal(c.Default, &value)
	return value, err
}

func describe(value any, details openfeature.EvaluationDetails) (any, error) {
	valueJSON, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return evaluation{
		ValueJSON:    string(valueJSON),
		Variant:      unlessEmpty(details.Variant),
		Reason:       unlessEmpty(string(details.Reason)),
		ErrorCode:    unlessEmpty(string(details.ErrorCode)),
		ErrorMessage: unlessEmpty(details.ErrorMessage),
		FlagMetadata: details.FlagMetadata,
	}, nil
}

func unlessEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
