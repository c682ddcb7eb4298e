// Renders the templates of a chart as `helm template` does: Go's text/template with the functions of Sprig and the few
// that Helm adds. Reads {"chart": "<folder>", "values": {…}, "release": {…}, "metadata": {…}} from standard input and
// prints {"<file>": "<text>"}. Used where Helm itself is not installed.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type input struct {
	Chart    string                 `json:"chart"`
	Values   map[string]interface{} `json:"values"`
	Release  map[string]interface{} `json:"release"`
	Metadata map[string]interface{} `json:"metadata"`
}

func main() {
	if err := render(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render() error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(in.Chart, "templates", "*"))
	if err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	context := map[string]interface{}{"Values": in.Values, "Release": in.Release, "Chart": in.Metadata}
	out := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		if err := root.ExecuteTemplate(&text, name, context); err != nil {
			return err
		}
		// As Helm does: a value that is not there prints as nothing.
		out[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// functions returns Sprig's functions and Helm's own, without those that Helm takes away.
func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		var text bytes.Buffer
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(text.String(), "\n"), err
	}
	return all
}
