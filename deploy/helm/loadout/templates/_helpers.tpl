{{/* Names of all objects begin with it; StatefulSets add a hash of ten characters to theirs. */}}
{{- define "loadout.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 48 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 48 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "loadout.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "loadout.labels" -}}
{{ include "loadout.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "loadout.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The server's configuration file: what the values say, and what the rest of the chart relies on. */}}
{{- define "loadout.configuration" -}}
{{- $own := dict "port" 8080 "metrics-port" 9100 "metrics-host" "0.0.0.0" "drain-delay" .Values.drainDelaySeconds -}}
{{- if .Values.database.existingSecret -}}
{{- $_ := set $own "database-file" "/run/secrets/loadout/database" -}}
{{- end -}}
{{- if .Values.tls.existingSecret -}}
{{- $_ := set $own "tls-cert" "/run/secrets/loadout-tls/tls.crt" -}}
{{- $_ := set $own "tls-key" "/run/secrets/loadout-tls/tls.key" -}}
{{- end -}}
{{- merge $own .Values.configuration | toPrettyJson -}}
{{- end }}

{{- define "loadout.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "loadout.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
