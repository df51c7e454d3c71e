package main

import (
	"bytes"
	"html/template"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown is GitHub's, with anchors at headings.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// convert writes the page of a markdown file. Links to other markdown files, and to folders of packages, lead to their
// pages.
func convert(root, out string, c chapter) error {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.file)))
	if err != nil {
		return err
	}
	document := markdown.Parser().Parse(text.NewReader(source))
	err = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = []byte(target(c.file, string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, document); err != nil {
		return err
	}
	return render(out, pageOf(c.file), c.title, template.HTML(body.String()))
}

// document writes the page of a package: the output of go doc.
func document(root, out, name string) error {
	cmd := exec.Command("go", "doc", "-all", ".")
	cmd.Dir, cmd.Stderr = filepath.Join(root, filepath.FromSlash(name)), os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return err
	}
	body := template.HTML("<pre>" + template.HTMLEscapeString(string(said)) + "</pre>")
	return render(out, apiPage(name), "package "+base(name), body)
}

// target is where a link of a markdown file leads on the site.
func target(file, link string) string {
	name, anchor, _ := strings.Cut(link, "#")
	if folder := path.Join(path.Dir(file), name); slices.Contains(packages, folder) {
		return strings.Repeat("../", strings.Count(file, "/")) + apiPage(folder)
	}
	if strings.Contains(link, "://") || path.Ext(name) != ".md" {
		return link
	}
	name = pageOf(name)
	if anchor != "" {
		return name + "#" + anchor
	}
	return name
}

// pageOf is the page of a markdown file.
func pageOf(file string) string {
	if path.Base(file) == "README.md" {
		return path.Join(path.Dir(file), "index.html")
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

func apiPage(name string) string { return "api/" + strings.ReplaceAll(base(name), "/", "-") + ".html" }

// base is a package's path below the module, or the name of the root.
func base(name string) string {
	if name == "." {
		return "iprof"
	}
	return name
}

// entry is a line of the navigation.
type entry struct {
	Page, Title string
	Here        bool
}

// render writes a page with its navigation.
func render(out, page, title string, body template.HTML) error {
	up := strings.Repeat("../", strings.Count(page, "/"))
	data := struct {
		Title         string
		Guide, Manual []entry
		Body          template.HTML
	}{Title: title, Body: body}
	for _, c := range chapters {
		data.Guide = append(data.Guide, entry{up + pageOf(c.file), c.title, pageOf(c.file) == page})
	}
	for _, name := range packages {
		data.Manual = append(data.Manual, entry{up + apiPage(name), base(name), apiPage(name) == page})
	}
	var text bytes.Buffer
	if err := layout.Execute(&text, data); err != nil {
		return err
	}
	return write(filepath.Join(out, filepath.FromSlash(page)), text.Bytes())
}

var layout = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { padding: 1.5rem 1rem; border-right: 1px solid #8884; font-size: 14px; }
nav a { display: block; padding: 1px 0; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { color: #2a7ae2; }
nav b { display: block; margin-top: 1rem; }
main { padding: 1rem 2.5rem 4rem; max-width: 62rem; }
h1, h2, h3 { line-height: 1.2; }
a { color: #2a7ae2; }
pre { tab-size: 4; padding: 0.8rem 1rem; overflow: auto; background: #8881; border-radius: 4px; }
pre { font-size: 13px; line-height: 1.4; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre code { font-size: inherit; }
table { border-collapse: collapse; display: block; overflow: auto; }
td, th { padding: 0.3rem 0.7rem; border: 1px solid #8884; vertical-align: top; text-align: left; }
img { max-width: 100%; }
@media (max-width: 50rem) {
body { display: block; }
nav { border-right: 0; border-bottom: 1px solid #8884; }
main { padding: 1rem; }
}
</style>
</head>
<body>
<nav>
<b>Guide</b>
{{range .Guide}}<a href="{{.Page}}"{{if .Here}} aria-current="page"{{end}}>{{.Title}}</a>
{{end}}<b>Packages</b>
{{range .Manual}}<a href="{{.Page}}"{{if .Here}} aria-current="page"{{end}}>{{.Title}}</a>
{{end}}</nav>
<main>
{{.Body}}</main>
</body>
</html>
`))
