// Package web has a part of a service.
package web

type PublicAPI struct{ db *store.DB }

func (api *PublicAPI) MarkAt(url string) { api.db.ByUrl(url) }
