export default {
  async fetch(request: Request, env: Env) {
    const { results } = await env.DB.prepare("SELECT id FROM harbours WHERE depth > ?").bind(20).all();
    return Response.json(results);
  },
};
