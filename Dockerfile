# The service in a container: built in one stage from the sources, run in another from the packed packages alone.
#   docker build -t hilo . && docker run -p 127.0.0.1:3000:3000 -v hilo-data:/data hilo
FROM node:26-bookworm-slim AS build
WORKDIR /src
COPY . .
# Node.js and pnpm come in the versions of scripts/toolchain.json; pack writes one file for each package.
RUN npm run build \
 && node scripts/up.mjs pnpm -r --filter "./packages/*" pack --pack-destination /packed \
 && mkdir /app && cd /app && npm init --yes > /dev/null \
 && npm install --omit=dev --omit=optional --omit=peer --ignore-scripts --no-audit --no-fund /packed/*.tgz

FROM node:26-bookworm-slim
ENV NODE_ENV=production HILO_HOST=0.0.0.0 HILO_PORT=3000 HILO_DATA=/data HILO_LOG=json
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HILO_PORT + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/node_modules/@hilo/cli/dist/main.js", "serve"]
