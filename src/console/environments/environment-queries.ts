/** What several screens read of an environment. */
import { useQuery } from '@tanstack/react-query';
import { fetchText, request } from '../api/call.js';
import { chooseAddress } from './choose-address.js';

export function useKeys(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'keys'],
    queryFn: async () => (await request('GET /environments/:env/keys', { params: { env } })).keys,
  });
}

/** The first content items by id: enough to know whether there are any. */
export function useFirstContents(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'contents', { first: 20 }],
    queryFn: () =>
      request('GET /environments/:env/contents', { params: { env }, query: { limit: 20 } }),
    select: ({ contents }) => contents,
  });
}

interface DeliveryDocument {
  readonly servers?: readonly { readonly url: string }[];
}

/** Origin of the delivery API, like http://127.0.0.1:8080; undefined until it is known. */
export function useDeliveryAddress(): string | undefined {
  const { data, isError } = useQuery({
    queryKey: ['delivery-address'],
    queryFn: async () => {
      const { servers = [] } = JSON.parse(
        await fetchText('/openapi-delivery.json'),
      ) as DeliveryDocument;
      return chooseAddress(
        servers.map(({ url }) => url),
        window.location.hostname,
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isError ? chooseAddress([], window.location.hostname) : data;
}
