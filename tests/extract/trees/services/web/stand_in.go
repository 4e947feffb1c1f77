// Package web has what stands in for the store.
package web

type StandIn struct{ db *store.DB }

func (s *StandIn) Drop() { s.db.Drop() }
