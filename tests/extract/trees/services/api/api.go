// Package api is what callers by name find.
package api

import "example.org/node/rpc"

type API struct {
	*web.PublicAPI
	db *store.DB
}

func NewAPI(db *store.DB) *API { return &API{db: db} }

func (api *API) MarksOf(owner string) { api.db.ByOwner(owner) }

func (s *Service) APIs() []rpc.API {
	return []rpc.API{
		{
			Namespace: "marks",
			Service:   NewAPI(s.db),
		},
	}
}
