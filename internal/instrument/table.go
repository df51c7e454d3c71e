package instrument

import (
	"fmt"
	"strings"
)

// table is the table of zones of one rewritten file: a package variable behind the file's last line.
type table struct {
	auto  string // name of the imported package
	name  string // of the variable
	zones []zone
}

type zone struct {
	label string
	idle  bool
}

// add returns the expression for a new zone.
func (t *table) add(z zone) string {
	t.zones = append(t.zones, z)
	return fmt.Sprintf("%s[%d]", t.name, len(t.zones)-1)
}

// declaration returns the source text of the table.
func (t *table) declaration() string {
	if len(t.zones) == 0 {
		return "var _ " + t.auto + ".Zone\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "var %s = [%d]%s.Zone{\n", t.name, len(t.zones), t.auto)
	for _, z := range t.zones {
		fmt.Fprintf(&b, "\t{Name: %q, Idle: %t},\n", z.label, z.idle)
	}
	b.WriteString("}\n")
	return b.String()
}
