/** Where games reach the delivery API, as the server's own document of it says. */
import { useQuery } from '@tanstack/react-query';
import { fetchText } from '../api/call.js';
import { chooseAddress } from './choose-address.js';

interface DeliveryDocument {
  readonly servers?: readonly { readonly url: string }[];
}

/** An origin, like http://127.0.0.1:8080; undefined until it is known. */
export function useDeliveryAddress(): string | undefined {
  const { data, isError } = useQuery({
    queryKey: ['delivery-address'],
    queryFn: async () => {
      const text = await fetchText('/openapi-delivery.json');
      const { servers = [] } = JSON.parse(text) as DeliveryDocument;
      const urls = servers.map(({ url }) => url);
      return chooseAddress(urls, window.location.hostname);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isError ? chooseAddress([], window.location.hostname) : data;
}
