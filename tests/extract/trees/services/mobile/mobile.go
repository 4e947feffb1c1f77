// Package mobile is called by other languages.
package mobile

//export Shown
func Shown() { shared.Exported() }
