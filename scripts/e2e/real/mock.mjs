// Model providers on loopback that fail as they are told to.
//
// http://127.0.0.1:PORT/PROVIDER/v1 speaks OpenAI's chat completions. The API key names the profile
// ("sk-mock-PROFILE" or "sk-mock-PROFILE#…"), so that a request tells provider, model and profile. A fault is
// {match: "PROVIDER/MODEL@PROFILE", …}; * stands for anything, the first that matches answers: with {status, body},
// or {kind: "empty" | "reset" | "hang"}. What none matches is answered with a text.
import http from 'node:http';

const glob = (pattern, text) => new RegExp('^' + pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$').test(text);

export async function startMock() {
  const mock = {faults: [], requests: []};
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', chunk => { text += chunk; });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(200, {'content-type': 'application/json'}).end('{"data":[]}');
      const body = JSON.parse(text || '{}');
      const provider = request.url.split('/')[1];
      const profile = (request.headers.authorization ?? '').replace(/^Bearer sk-mock-/i, '').replace(/#.*$/, '');
      const fault = mock.faults.find(f => glob(f.match, `${provider}/${body.model}@${profile}`));
      mock.requests.push({at: Date.now(), provider, model: body.model, profile, result: fault?.name ?? 'ok'});
      if (fault?.kind === 'reset') return void request.socket.destroy();
      if (fault?.kind === 'hang') return;
      if (!fault || fault.kind === 'empty') return answer(response, body, fault ? '' : 'answered');
      response.writeHead(fault.status, {'content-type': 'application/json', ...fault.headers});
      response.end(JSON.stringify(fault.body).replaceAll('MODEL', body.model));
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  mock.port = server.address().port;
  mock.close = () => { server.closeAllConnections(); server.close(); };
  return mock;
}

// answer sends a finished answer, streamed where that was asked for.
function answer(response, body, text) {
  const usage = {prompt_tokens: 10, completion_tokens: text ? 2 : 0, total_tokens: text ? 12 : 10};
  const head = {id: 'mock', created: 1, model: body.model};
  if (!body.stream) {
    response.writeHead(200, {'content-type': 'application/json'});
    response.end(JSON.stringify({...head, object: 'chat.completion', usage, choices: [{index: 0, finish_reason: 'stop', message: {role: 'assistant', content: text}}]}));
    return;
  }
  response.writeHead(200, {'content-type': 'text/event-stream'});
  const send = data => response.write(`data: ${JSON.stringify({...head, object: 'chat.completion.chunk', ...data})}\n\n`);
  const delta = (fields, finish_reason = null) => send({choices: [{index: 0, delta: fields, finish_reason}]});
  delta({role: 'assistant', content: ''});
  if (text) delta({content: text});
  delta({}, 'stop');
  send({choices: [], usage});
  response.end('data: [DONE]\n\n');
}
