import { buildResource } from '../platform/define-resource.ts';
import type { RestTraffic } from '../platform/http/rest.ts';
import { adminCampaignRoutes } from './admin-routes.ts';
import type { MakingParts } from './make-campaign.ts';
import { restCampaignRoutes } from './rest-routes.ts';
import { type CampaignParts, campaignRoutes } from './routes.ts';

/** Templates that are sent to many. */
export const campaignResource = buildResource<MakingParts & CampaignParts & RestTraffic>({
  name: 'campaigns',
  routes: [...adminCampaignRoutes, ...restCampaignRoutes, ...campaignRoutes],
});
