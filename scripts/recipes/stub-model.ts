/**
 * A model on loopback that calls the tool `search` and answers with what it returned. It speaks the
 * Responses and Chat Completions APIs of OpenAI, and the Messages API of Anthropic as a stream.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubModel {
  /** Without a path. */
  url: string;
  close(): void;
}

interface Asked {
  model: string;
  /** What the tool returned; undefined before it was called. */
  result: string | undefined;
  /** The name of the tool for searches, as this client has it; undefined if it offers none. */
  tool: string | undefined;
}

/** What the model wants: a call of the tool, or to end with a text. */
type Reply = { tool: string; input: object } | { text: string };

// biome-ignore lint/suspicious/noExplicitAny: three formats of others
type Body = any;

export async function startStubModel(question: string): Promise<StubModel> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const format = formats[path];
      if (request.method !== 'POST' || format === undefined) {
        response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
        return;
      }
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Body;
      const tools = (body.tools ?? []).map((tool: Body) => tool.name ?? tool.function?.name);
      const tool = tools.find((name: string) => /(^|__)search$/.test(name));
      const asked = { model: body.model, result: format.resultIn(body), tool };
      const { type, text } = format.write(asked, replyTo(asked, question));
      response.writeHead(200, { 'Content-Type': type }).end(text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

function replyTo({ result, tool }: Asked, query: string): Reply {
  if (result !== undefined) return { text: `The tool says: ${result}` };
  if (tool === undefined) return { text: 'There is no tool to search with.' };
  return { tool, input: { query, limit: 1, filter: { year: { from: 2015 } } } };
}

interface Format {
  resultIn(body: Body): string | undefined;
  write(asked: Asked, reply: Reply): { type: string; text: string };
}

function asText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const parts = value as { text?: string }[];
  return parts.map(({ text = '' }) => text).join('');
}

const JSON_TYPE = 'application/json';

const responses: Format = {
  resultIn: ({ input }) =>
    asText([input].flat().find((item: Body) => item.type === 'function_call_output')?.output),
  write({ model }, reply) {
    const status = 'completed';
    const content = (text: string) => [{ type: 'output_text', text, annotations: [] }];
    const output =
      'text' in reply
        ? { type: 'message', id: 'msg_1', status, role: 'assistant', content: content(reply.text) }
        : { type: 'function_call', id: 'fc_1', call_id: 'call_1', status, ...namedCall(reply) };
    const details = {
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details };
    const rest = { parallel_tool_calls: true, tool_choice: 'auto', tools: [], usage };
    const head = { id: 'resp_1', object: 'response', created_at: 1, status, model };
    return { type: JSON_TYPE, text: JSON.stringify({ ...head, output: [output], ...rest }) };
  },
};

function namedCall({ tool, input }: { tool: string; input: object }) {
  return { name: tool, arguments: JSON.stringify(input) };
}

const chatCompletions: Format = {
  resultIn: ({ messages }) => asText(messages.find(({ role }: Body) => role === 'tool')?.content),
  write({ model }, reply) {
    const role = 'assistant';
    const isText = 'text' in reply;
    const message = isText
      ? { role, content: reply.text }
      : {
          role,
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: namedCall(reply) }],
        };
    const choice = { index: 0, message, finish_reason: isText ? 'stop' : 'tool_calls' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const head = { id: 'chat_1', object: 'chat.completion', created: 1, model };
    return { type: JSON_TYPE, text: JSON.stringify({ ...head, choices: [choice], usage }) };
  },
};

const messages: Format = {
  resultIn: (body) => {
    const parts = body.messages.flatMap(({ content }: Body) => content);
    return asText(parts.find(({ type }: Body) => type === 'tool_result')?.content);
  },
  write({ model }, reply) {
    const isText = 'text' in reply;
    const block = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: 'toolu_1', name: reply.tool, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: reply.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) };
    const stop = { stop_reason: null, stop_sequence: null };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] };
    const ended = { ...stop, stop_reason: isText ? 'end_turn' : 'tool_use' };
    const events: [type: string, fields: object][] = [
      ['message_start', { message: { ...head, ...stop, usage } }],
      ['content_block_start', { index: 0, content_block: block }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: ended, usage: { output_tokens: 1 } }],
      ['message_stop', {}],
    ];
    const text = events
      .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
      .join('');
    return { type: 'text/event-stream', text };
  },
};

const formats: Readonly<Record<string, Format>> = {
  '/v1/responses': responses,
  '/v1/chat/completions': chatCompletions,
  '/v1/messages': messages,
};
