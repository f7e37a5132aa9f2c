// Reads manifests as those do that they are written for, and accepts no field that these would ignore:
//
//	manifests kubernetes < RENDERED   documents of YAML, into the types of k8s.io/api and of Prometheus' operator
//	manifests compose FILE            with the loader of docker compose
//	manifests containerfile FILE      with the parser of docker build
//
// Prints what it has read as JSON, or ends with 1 and a line for each error.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	strict "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// A kind that is not listed is an error: nothing would check it.
var kinds = map[string]func() any{
	"apps/v1 StatefulSet":                     func() any { return &apps.StatefulSet{} },
	"batch/v1 Job":                            func() any { return &batch.Job{} },
	"monitoring.coreos.com/v1 PrometheusRule": func() any { return &monitoring.PrometheusRule{} },
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return &monitoring.ServiceMonitor{} },
	"networking.k8s.io/v1 NetworkPolicy":      func() any { return &networking.NetworkPolicy{} },
	"policy/v1 PodDisruptionBudget":           func() any { return &policy.PodDisruptionBudget{} },
	"v1 ConfigMap":                            func() any { return &core.ConfigMap{} },
	"v1 Service":                              func() any { return &core.Service{} },
	"v1 ServiceAccount":                       func() any { return &core.ServiceAccount{} },
}

var separator = regexp.MustCompile(`(?m)^---.*$`)

func main() {
	read, err := readArguments(os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(read)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readArguments(args []string) (any, error) {
	switch {
	case len(args) == 1 && args[0] == "kubernetes":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, err
		}
		return decodeAll(string(text))
	case len(args) == 2 && args[0] == "compose":
		return loadCompose(args[1])
	case len(args) == 2 && args[0] == "containerfile":
		return parseContainerfile(args[1])
	}
	return nil, errors.New("usage: manifests kubernetes | compose FILE | containerfile FILE")
}

func decodeAll(text string) ([]any, error) {
	var objects []any
	var problems []error
	for _, document := range separator.Split(text, -1) {
		if isComment(document) {
			continue
		}
		object, err := decode([]byte(document))
		objects = append(objects, object)
		problems = append(problems, err)
	}
	return objects, errors.Join(problems...)
}

func isComment(document string) bool {
	for _, line := range strings.Split(document, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// decode is as strict as an API server with fieldValidation=Strict: a name is unknown unless its case is right, and may stand once.
func decode(document []byte) (any, error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	var head struct {
		meta.TypeMeta   `json:",inline"`
		meta.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	kind := head.APIVersion + " " + head.Kind
	object, known := kinds[kind]
	if !known {
		return nil, fmt.Errorf("%s %s: a kind that nothing here checks", kind, head.Name)
	}
	read := object()
	unknown, err := strict.UnmarshalStrict(text, read)
	if err := errors.Join(append(unknown, err)...); err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind, head.Name, err)
	}
	return read, nil
}

func loadCompose(file string) (any, error) {
	ctx := context.Background()
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv, cli.WithResolvedPaths(true))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(ctx)
}

type stage struct {
	Name         string   `json:"name"`
	From         string   `json:"from"`
	Instructions []string `json:"instructions"`
}

func parseContainerfile(file string) ([]stage, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	parsed, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	found, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		return nil, err
	}
	var stages []stage
	for _, one := range found {
		read := stage{Name: one.Name, From: one.BaseName}
		for _, command := range one.Commands {
			// A mount is read when the rest of its flags are known.
			if run, isRun := command.(*instructions.RunCommand); isRun {
				if err := run.Expand(func(word string) (string, error) { return word, nil }); err != nil {
					return nil, err
				}
			}
			read.Instructions = append(read.Instructions, command.Name())
		}
		stages = append(stages, read)
	}
	return stages, nil
}
