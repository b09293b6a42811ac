// A service with a resource of its host's: the program of docs/own-resource.md. It writes ./data where it is started.
import { fileURLToPath } from 'node:url';
import { createApp, openService } from '@hilo/server';
import { approvals, approvalsResource, expireApprovals } from './approvals.ts';

const adminToken = 'token-of-the-operators';
const workspace = fileURLToPath(new URL('workspace.json', import.meta.url));
const service = await openService({ data: './data', workspace, adminToken, resources: [approvalsResource] });
const app = createApp(service);

await service.store.runner.write(
  approvals.insert([
    { companyId: '1', id: 'a1', executionId: 'e1', reason: 'Refund of 20', askedAtMs: Date.now(), isGranted: false },
    { companyId: '1', id: 'a2', executionId: 'e2', reason: 'Refund of 90', askedAtMs: Date.now() - 40 * 86_400_000, isGranted: false },
  ]),
);

const call = async (method: string, path: string): Promise<string> => {
  const headers = { authorization: `Bearer ${adminToken}`, ...(method === 'POST' && { 'content-type': 'application/json' }) };
  const response = await app.request(`/admin/v1/companies/1/approvals${path}`, { method, headers });
  return `${response.status} ${await response.text()}`;
};
console.log(await call('POST', '/a1/grant'));
console.log(await call('POST', '/a7/grant'));

const { jobId } = await service.jobs.ask(expireApprovals, { companyId: '1', spec: { days: 30 }, createdBy: 'the shop' });
for (let job = await service.jobs.find(jobId); job.status !== 'done'; job = await service.jobs.find(jobId))
  await new Promise((resolve) => setTimeout(resolve, 100));
console.log(await call('GET', ''));
await service.close();
