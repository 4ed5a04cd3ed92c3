import type { Context } from 'koa';

type Request = Context['req'];
type Response = Context['res'];

interface Served {
  request: Request;
  response: Response;
}

type OnLost = (error: Error, request: Request, response: Response) => void;

/**
 * Tells of an answer whose connection breaks before it is out, as Koa does. One listener for each connection: those that
 * stay open bring a request after the other.
 */
export function createSocketWatch(onLost: OnLost): (request: Request, response: Response) => void {
  const watched = new WeakMap<Request['socket'], Served>();
  return (request, response) => {
    const { socket } = request;
    const known = watched.get(socket);
    if (known !== undefined) {
      known.request = request;
      known.response = response;
      return;
    }
    const served: Served = { request, response };
    watched.set(socket, served);
    socket.on('error', (error: Error) => {
      if (!served.response.writableFinished) onLost(error, served.request, served.response);
    });
  };
}
