/** Layers and the holdout of an environment, with the rules that use them. */
import { useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';

export const layersKey = (env: string) => ['environments', env, 'layers'] as const;

export function useLayers(env: string) {
  return useQuery({
    queryKey: layersKey(env),
    queryFn: () => request('GET /environments/:env/layers', { params: { env } }),
  });
}
