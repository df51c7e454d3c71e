// Package agents tests what docs/export.md says to agents that fetch profiles: Grafana Alloy and Parca.
package agents
