// Package routers tests package iprofhttp with the routers gin, chi and echo. It is a module of its own, so that
// nothing else needs them.
package routers
