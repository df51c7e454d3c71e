package instrument

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The go command runs its tools through this program (-toolexec) where the overlay is not enough: with -cover, and if
// the program embeds its own source files. The go command embeds what the overlay has, so the program would see zones.

// toolFlag returns the flag that makes the go command run its tools by Tool.
func toolFlag(overlay string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(program+overlay, `'"`) {
		return "", fmt.Errorf("-cover, and a program that embeds its sources: the go command takes no quotes in the "+
			"name of a tool: %s, %s", program, overlay)
	}
	return fmt.Sprintf("-toolexec='%s' %s '%s'", program, ToolVerb, overlay), nil
}

// ToolVerb is the command of iprof through which the go command runs its tools.
const ToolVerb = "tool-with-zones"

// Tool runs a tool of the go command: args are the overlay, the tool, and the tool's arguments. It inserts the zones
// into the output of the tool cover. The compiler embeds the program's own files.
func Tool(args []string) error {
	if len(args) < 2 {
		return errors.New("it is for the go command")
	}
	overlay, tool, args := args[0], args[1], args[2:]
	switch name := strings.TrimSuffix(filepath.Base(tool), ".exe"); {
	case name == "cover" && slices.Contains(args, "-V=full"):
		return coverVersion(tool, args)
	case name == "cover":
		return coverWithZones(overlay, tool, args)
	case name == "compile":
		if err := embedOwn(overlay, args); err != nil {
			return err
		}
	}
	return runTool(tool, args, os.Stdout)
}

func runTool(tool string, args []string, out io.Writer) error {
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, os.Stderr
	return cmd.Run()
}

// embedConfig describes embedded files: the go command writes it for the compiler.
type embedConfig struct {
	Patterns map[string][]string
	Files    map[string]string // by name, where they are
}

// embedOwn replaces rewritten files by the program's own in the compiler's list of embedded files.
func embedOwn(overlay string, args []string) error {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-embedcfg") })
	if at < 0 {
		return nil
	}
	flag, name, joined := strings.Cut(args[at], "=")
	if !joined && at+1 < len(args) {
		at++
		name = args[at]
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var config embedConfig
	if err := json.Unmarshal(text, &config); err != nil {
		return err
	}
	replaced, err := readOverlay(overlay)
	if err != nil {
		return err
	}
	own := map[string]string{}
	for path, rewritten := range replaced.Replace {
		own[rewritten] = path
	}
	for file, path := range config.Files {
		if own[path] != "" {
			config.Files[file] = own[path]
		}
	}
	if text, err = json.Marshal(config); err != nil {
		return err
	}
	name += ".iprof"
	if args[at] = name; joined {
		args[at] = flag + "=" + name
	}
	return os.WriteFile(name, text, 0o644)
}

// embedded returns the files that a package embeds.
func (l *listed) embedded() (paths []string) {
	for _, name := range slices.Concat(l.EmbedFiles, l.TestEmbedFiles, l.XTestEmbedFiles) {
		paths = append(paths, filepath.Join(l.Dir, filepath.FromSlash(name)))
	}
	return paths
}

// embedsSource reports whether a package embeds a file that the overlay replaces, or a source of a copied module.
func (p *Plan) embedsSource(overlay map[string]string) bool {
	copied := map[string]bool{}
	for _, s := range p.sources {
		copied[s.path] = s.copied
	}
	return slices.ContainsFunc(p.embeds, func(path string) bool { return overlay[path] != "" || copied[path] })
}
