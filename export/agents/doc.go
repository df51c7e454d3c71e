// Package agents tests the settings of docs/export.md for agents that fetch profiles: Grafana Alloy and Parca.
package agents
