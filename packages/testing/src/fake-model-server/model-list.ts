/** What `GET` answers: the model lists of OpenAI-compatible servers, Ollama and Google, or 404. */
export function modelList(path: string, models: readonly string[]): readonly [status: number, body: unknown] {
  if (path.startsWith('/api/tags')) {
    return [200, { models: models.map((name) => ({ name, model: name, details: { family: 'fake' } })) }];
  }
  if (/^\/(v1\/)?models/.test(path)) {
    return [200, { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' })) }];
  }
  if (path.startsWith('/v1beta/models')) {
    return [200, { models: models.map((name) => ({ name: `models/${name}`, displayName: name })) }];
  }
  return [404, { error: { message: `No such endpoint: ${path}` } }];
}
